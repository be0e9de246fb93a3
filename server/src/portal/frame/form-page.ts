/** A page with a form or a question, as narrow as one reads. */
import { html } from 'htm/preact';
import type { Page, Section } from './call.ts';
import { renderFault, renderHeading } from './components.ts';

interface FormPage {
  readonly title: string;
  /** Default: the title. */
  readonly heading?: unknown;
  readonly section: Section;
  /** The pages above it. */
  readonly trail?: unknown;
  /** Why what was sent is refused; null if it was not. */
  readonly fault?: string | null;
  /** The status of a refused form; default 422. */
  readonly refusedStatus?: number;
}

export function buildFormPage(
  { title, heading = title, section, trail = null, fault = null, refusedStatus = 422 }: FormPage,
  content: unknown,
): Page {
  const body = html`
    <section class="narrow">
      ${trail}
      ${renderHeading(heading)}
      ${renderFault(fault)}
      ${content}
    </section>
  `;
  return { title, body, section, status: fault === null ? 200 : refusedStatus };
}
