/** How current each register is. */
import { html } from 'htm/preact';
import type { RegisterSummary } from '../../store/records/registers.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';

export function renderRegisters(registers: readonly RegisterSummary[]): unknown {
  return html`
    <section>
      <h2>Registers</h2>
      ${
        registers.length === 0
          ? html`<p class="empty">No register is served yet.</p>`
          : html`
              <div class="scroll tall" tabindex="0" role="region" aria-label="Registers">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Register</th>
                      <th scope="col" class="number">Records</th>
                      <th scope="col">Current through</th>
                      <th scope="col">Last load</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${registers.map(
                      (register) => html`
                        <tr key=${register.jurisdiction_code}>
                          <th scope="row">
                            <a href=${`/portal/feed?register=${encodeURIComponent(register.jurisdiction_code)}`}>
                              ${nameAndCode(register.jurisdiction_code)}
                            </a>
                          </th>
                          <td class="number">${formatCount(register.record_count)}</td>
                          <td>${renderInstant(register.data_current_through)}</td>
                          <td>${renderInstant(register.last_load_finished_at)}</td>
                        </tr>
                      `,
                    )}
                  </tbody>
                </table>
              </div>
            `
      }
    </section>
  `;
}
