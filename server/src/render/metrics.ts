/** The answers of the port for metrics: their text, and short refusals for people who open it. */
import type { Answer } from './answer.ts';

function renderText(status: number, text: string, type: string): Answer {
  return { status, headers: { 'content-type': type, 'cache-control': 'no-store' }, body: text };
}

const PLAIN = 'text/plain; charset=utf-8';

export function renderMetrics({ text, type }: { readonly text: string; readonly type: string }): Answer {
  return renderText(200, text, type);
}

export function renderNoMetrics(): Answer {
  return renderText(404, 'The metrics are at /metrics, for GET.\n', PLAIN);
}

export function renderMetricsFailed(): Answer {
  return renderText(500, 'The metrics could not be read; the log says why.\n', PLAIN);
}
