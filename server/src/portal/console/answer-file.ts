/** The whole body of an answer as a file. */
import { stringify } from 'lossless-json';
import type { DescribedEndpoint } from '../../render/description/endpoints.ts';
import type { Download } from '../frame/call.ts';
import type { ApiAnswer } from '../services.ts';

export function buildAnswerFile({ id }: DescribedEndpoint, { body }: ApiAnswer): Download {
  const text = stringify(body, null, 2) ?? 'null';
  return { download: `${id}.json`, type: 'application/json; charset=utf-8', chunks: [Buffer.from(`${text}\n`)] };
}
