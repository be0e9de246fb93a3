/**
 * The port for metrics: `/metrics` and nothing else. It is separate from the API, so that only monitoring can reach it.
 * It decides the format of the metrics, and does not know what is measured.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../base/log.ts';
import type { Answer } from '../render/answer.ts';
import { renderMetrics, renderMetricsFailed, renderNoMetrics } from '../render/reports.ts';
import { readWeights } from './encoding.ts';

type MetricsForm = 'text' | 'openmetrics';

export interface MetricsServerOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly read: (form: MetricsForm) => Promise<{ readonly text: string; readonly type: string }>;
  readonly log: Log;
}

export interface MetricsServer {
  /** The actual one. */
  readonly port: number;
  close(): Promise<void>;
}

/** OpenMetrics, or the older format for callers that prefer it: some tools read nothing else. */
function chooseForm(accepted: string): MetricsForm {
  const weights = readWeights(accepted);
  const openMetrics = weights.get('application/openmetrics-text') ?? 0;
  return (weights.get('text/plain') ?? 0) > openMetrics ? 'text' : 'openmetrics';
}

/** Rejects with the error of the system if it cannot listen. */
export async function serveMetrics({ host, port, read, log }: MetricsServerOptions): Promise<MetricsServer> {
  const answer = async ({ method = '', url = '', headers }: IncomingMessage): Promise<Answer> => {
    if (!['GET', 'HEAD'].includes(method) || url.split('?')[0] !== '/metrics') return renderNoMetrics();
    try {
      return renderMetrics(await read(chooseForm(headers.accept ?? '')));
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be read');
      return renderMetricsFailed();
    }
  };
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(request);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    // Never removed: without a listener, a connection that cannot be accepted would end the process.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
