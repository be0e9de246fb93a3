/**
 * Charts as SVG, rendered on the server with d3's scales and stacks. Colours and fonts are classes of the stylesheet.
 * Each chart is next to a table with the same numbers, so it is hidden from screen readers.
 */
import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { html } from 'htm/preact';
import { formatCount } from './pieces.ts';

export interface Bar {
  readonly label: string;
  readonly title: string;
  readonly values: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 240;
const LEFT = 76;
const BOTTOM = 36;
const TOP = 14;

/** Short numbers fit next to the bars on a phone, where the type is larger. */
const AXIS = new Intl.NumberFormat('en-US', { notation: 'compact' });

export function renderLegend(series: readonly string[]): unknown {
  return html`
    <ul class="legend" aria-hidden="true">
      ${series.map((name, position) => html`<li class=${`series-${position + 1}`}>${name}</li>`)}
    </ul>
  `;
}

export function renderDayChart(bars: readonly Bar[], series: readonly string[]): unknown {
  const largest = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const x = scaleBand<number>(
    bars.map((_, position) => position),
    [LEFT, WIDTH],
  ).padding(0.25);
  const y = scaleLinear([0, largest], [HEIGHT - BOTTOM, TOP]).nice(4);
  const keys = series.map((_, position) => position);
  const layers = stack<unknown, Bar, number>()
    .keys(keys)
    .value((bar, key) => bar.values[key] ?? 0)([...bars]);
  const every = Math.max(1, Math.ceil(bars.length / 10));
  return html`
    <svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      ${y
        .ticks(4)
        .filter(Number.isInteger)
        .map(
          (tick) => html`
          <g>
            <line class="gridline" x1=${LEFT} x2=${WIDTH} y1=${y(tick)} y2=${y(tick)} />
            <text x=${LEFT - 8} y=${y(tick)} dy="0.32em" text-anchor="end">${AXIS.format(tick)}</text>
          </g>
        `,
        )}
      ${layers.map(
        (layer) => html`
          <g class=${`series-${layer.key + 1}`}>
            ${layer.map(
              ([from, to], position) =>
                html`
                  <rect x=${x(position)} width=${x.bandwidth()} y=${y(to)} height=${y(from) - y(to)}>
                    <title>${`${bars[position]!.title}: ${formatCount(to - from)} ${series[layer.key]}`}</title>
                  </rect>
                `,
            )}
          </g>
        `,
      )}
      ${bars.map((bar, position) =>
        position % every === 0
          ? html`
              <text x=${x(position)! + x.bandwidth() / 2} y=${HEIGHT - 10}
                text-anchor="middle">${bar.label}</text>
            `
          : null,
      )}
    </svg>
  `;
}

const ROW_HEIGHT = 30;
const LABEL_WIDTH = 250;

/** Horizontal bars, one for each reason, with the number at the end. */
export function renderReasonChart(bars: readonly { label: string; value: number }[]): unknown {
  const x = scaleLinear([0, Math.max(1, ...bars.map(({ value }) => value))], [0, WIDTH - LABEL_WIDTH - 110]);
  return html`
    <svg class="chart" viewBox=${`0 0 ${WIDTH} ${bars.length * ROW_HEIGHT}`} aria-hidden="true" focusable="false">
      ${bars.map(
        ({ label, value }, position) => html`
          <g transform=${`translate(0 ${position * ROW_HEIGHT})`}>
            <text class="label" x="0" y=${ROW_HEIGHT / 2} dy="0.32em">${label}</text>
            <rect class="series-2" x=${LABEL_WIDTH} y="5" width=${Math.max(2, x(value))} height=${ROW_HEIGHT - 10} />
            <text x=${LABEL_WIDTH + Math.max(2, x(value)) + 8} y=${ROW_HEIGHT / 2} dy="0.32em">${formatCount(value)}
              </text>
          </g>
        `,
      )}
    </svg>
  `;
}

/** From this share on, the bar changes its colour. */
const TIGHT = 0.9;

/** The used share of a bound, drawn as SVG because browsers do not agree on how to style `<meter>`. */
function renderShare(label: string, used: number, bound: number): unknown {
  const share = bound === 0 ? 1 : Math.min(used / bound, 1);
  return html`
    <svg class="share" viewBox="0 0 100 5" preserveAspectRatio="none" focusable="false" role="meter" aria-label=${label}
      aria-valuemin="0" aria-valuemax=${Math.max(bound, 1)} aria-valuenow=${Math.min(used, Math.max(bound, 1))}
      aria-valuetext=${`${Math.floor(share * 100)} %`}>
      <rect class=${share >= TIGHT ? 'tight' : null} width=${(share * 100).toFixed(2)} height="5" />
    </svg>
  `;
}

interface QuotaLine {
  readonly label: string;
  readonly name: unknown;
  readonly used: number;
  readonly quota: number | null;
}

export function renderQuotas(lines: readonly QuotaLine[]): unknown {
  return html`
    <ul class="quotas">
      ${lines.map(
        ({ label, name, used, quota }) => html`
          <li>
            <span>${name}</span>
            ${
              quota === null
                ? html`<span class="silent">no limit</span>`
                : renderShare(`${label}: units used`, used, quota)
            }
            <span class="number">${formatCount(used)}${quota === null ? '' : ` of ${formatCount(quota)}`}</span>
          </li>
        `,
      )}
    </ul>
  `;
}
