/** The answer at `/`: browsers are redirected to the portal, programs get the addresses of the API. */
import { type Answer, JSON_TYPE } from './answer.ts';

export function renderRoot({ recordPrefix }: { readonly recordPrefix: string }, accepted: string): Answer {
  // Browsers ask for text/html by name; programs send `*/*` or nothing.
  if (/\btext\/html\b/i.test(accepted)) return renderRedirect('/portal');
  const places = {
    api: `/${recordPrefix}/v1`,
    health: `/${recordPrefix}/v1/health`,
    openapi: '/openapi.json',
    reference: '/docs',
    llms: '/llms.txt',
    portal: '/portal',
  };
  return {
    status: 200,
    headers: { 'cache-control': 'no-store', 'content-type': JSON_TYPE },
    body: JSON.stringify(places),
  };
}

/** `path`: a path on this host. */
function renderRedirect(path: string): Answer {
  return { status: 303, headers: { 'cache-control': 'no-store', location: path }, body: '' };
}
