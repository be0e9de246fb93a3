/**
 * OpenMetrics from the older text format: the same samples, but a family of counters is described without the `_total`
 * of its samples, families are not set apart, and the end is marked. `prom-client` writes either format, but renames
 * its counters permanently when it writes OpenMetrics.
 */

const COUNTER_HEAD = /^# HELP (\w+)_total (.*)\n# TYPE \1_total counter$/gm;

export function renderOpenMetrics(text: string): string {
  return `${text.replace(COUNTER_HEAD, '# HELP $1 $2\n# TYPE $1 counter').replaceAll('\n\n', '\n')}# EOF\n`;
}
