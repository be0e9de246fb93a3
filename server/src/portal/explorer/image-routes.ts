/**
 * Images of the records on a page of results, which a page shows without holding them itself. They come from the
 * remembered answer of the page, so they cost nothing. Invariant: an image is sent as a file that no browser runs.
 */
import { type Download, type MemberCall, type PortalRoute, pageNotFound } from '../frame/call.ts';
import type { Explorer } from './ask.ts';
import { chooseKey } from './charged-key.ts';
import { recallResults } from './recalled-results.ts';
import { decodeImage, firstImage } from './record-image.ts';

export function listImageRoutes(explorer: Explorer): PortalRoute[] {
  return [{ method: 'GET', url: '/explorer/images/:register/*', members: (call) => sendImage(call, explorer) }];
}

async function sendImage(call: MemberCall, explorer: Explorer): Promise<Download> {
  const { key } = await chooseKey(call, explorer.services, explorer.answers);
  const { register, '*': uid } = call.params;
  const recalled = key === null ? null : await recallResults(call, explorer, key.id);
  const record = recalled?.page.items.find((item) => item.jurisdiction_code === register && item.uid === uid);
  const uri = firstImage(record?.payload);
  if (uri === null) throw pageNotFound();
  const { type, bytes } = decodeImage(uri);
  return { download: 'image', type, chunks: [bytes] };
}
