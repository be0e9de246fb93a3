/** What the readers of a register have been compared with: a sentence on its page, and the table of all registers. */
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { AUDIT_FIGURES, type AuditFigures } from './audit-figures.ts';

/** The sentence, with a link to the figures of all registers. */
export function renderCompared(register: string): unknown {
  return html`
    <p id="compared" class="hint">
      ${describeCompared(AUDIT_FIGURES[register])}${' '}
      <a href="/portal/registers#compared">What all readers were compared with</a>
    </p>
  `;
}

function describeCompared(figures: AuditFigures | undefined): string {
  if (figures === undefined || figures.compared + figures.byHand === 0) {
    return 'The reader of this register has not been compared with real records yet.';
  }
  const { compared, byHand, values, differences } = figures;
  const counted = [
    ...(compared === 0 ? [] : [`${countRecords(compared)} compared with their source`]),
    ...(byHand === 0 ? [] : [`${countRecords(byHand)} read by hand`]),
  ];
  return `Its reader: ${counted.join(', ')}; ${formatCount(values)} values, ${countDifferences(differences)}.`;
}

const countRecords = (records: number): string =>
  `${formatCount(records)} real ${records === 1 ? 'record' : 'records'}`;

const countDifferences = (differences: number): string =>
  `${formatCount(differences)} ${differences === 1 ? 'difference' : 'differences'}`;

type Row = readonly [register: string, figures: AuditFigures];

export function renderAllCompared(): unknown {
  return html`
    <section id="compared">
      <h2>Compared with real files</h2>
      <p class="hint">
        This service reads the files of these registers. A test compares each real record at hand with a plain search
        of its source; of some, every field was read off the source by hand.
      </p>
      ${renderTable<Row>({
        label: 'Compared with real files',
        rows: Object.entries(AUDIT_FIGURES),
        keyOf: ([register]) => register,
        columns: [
          { label: 'Register', isHeader: true, style: 'name', cell: ([register]) => nameAndCode(register) },
          { label: 'Records compared', style: 'number', cell: ([, { compared }]) => formatCount(compared) },
          { label: 'Read by hand', style: 'number', cell: ([, { byHand }]) => formatCount(byHand) },
          { label: 'Values', style: 'number', cell: ([, { values }]) => formatCount(values) },
          { label: 'Differences', style: 'number', cell: ([, { differences }]) => formatCount(differences) },
        ],
      })}
    </section>
  `;
}
