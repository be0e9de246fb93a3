/**
 * The search for marks that are alike. Each page makes one call of the endpoint with a key for analytics, so it is
 * judged, metered and refused like any other call. Pictures come from records of an answer that is still remembered.
 */
import { ANALYTICS_ROOT } from '@tmds/contract/extras';
import type { SimilarPage } from '@tmds/contract/likeness';
import { listAgreements } from '../../store/accounts/portal-keys.ts';
import { listDocuments } from '../../store/records/documents.ts';
import { listRegisters } from '../../store/records/registers.ts';
import { ask, type Explorer } from '../explorer/ask.ts';
import { chooseKey } from '../explorer/charged-key.ts';
import { decodeImage, firstImage } from '../explorer/record-image.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { type Download, type MemberCall, type Page, type PortalRoute, pageNotFound } from '../frame/call.ts';
import { drawWord } from '../frame/word-picture.ts';
import type { PortalServices } from '../services.ts';
import { listShown } from './entries-view.ts';
import { renderNoAnalytics } from './no-key.ts';
import { renderSimilar } from './similar-page.ts';
import { readSimilar } from './similar-target.ts';

/** A document with larger pictures is not read for one of them. */
const PICTURE_BYTES_MAX = 5 * 1024 * 1024;

export function listSimilarRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [
    { method: 'GET', url: '/similar', members: (call) => showSimilar(call, explorer) },
    { method: 'GET', url: '/similar/pictures/:register/*', members: (call) => sendPicture(call, explorer) },
  ];
}

async function showSimilar(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services, answers } = explorer;
  const choice = await chooseKey(call, services, answers, 'analytics');
  if (choice.keys.length === 0) {
    return renderNoAnalytics(call, await listAgreements(services.database, call.user.customer_id));
  }
  const registers = await listRegisters(services.database);
  const asked = readSimilar(call.query);
  const outcome = asked.mark === '' ? null : await ask(call, explorer, choice, asked.target);
  const request = {
    baseUrl: `${call.origin}${ANALYTICS_ROOT}`,
    target: asked.target,
    keyId: choice.key?.id ?? '',
  };
  return renderSimilar(call, { asked, choice, registers, outcome, request });
}

/** The picture of a record of the answer, or its words drawn; costs nothing. */
async function sendPicture(call: MemberCall, { services, answers }: Explorer): Promise<Download> {
  const { key } = await chooseKey(call, services, answers, 'analytics');
  const { target } = readSimilar(call.query);
  const stamp = call.query.get('asked') ?? '';
  const answer = key === null ? null : await answers.recall({ keyId: key.id, target, stamp });
  const { register, '*': uid } = call.params;
  const found = answer === null ? [] : listShown(answer.body as SimilarPage).map(({ record }) => record);
  const record = found.find((each) => each.jurisdiction_code === register && each.uid === uid);
  if (record === undefined) throw pageNotFound();
  const [document = null] = await listDocuments(services.database, [record], PICTURE_BYTES_MAX);
  const uri = document === null ? null : firstImage(JSON.parse(document.toString()));
  if (uri !== null) {
    const { type, bytes } = decodeImage(uri);
    return { download: 'image', type, chunks: [bytes] };
  }
  const drawn = drawWord(record.mark_name ?? 'no picture');
  return { download: 'image.svg', type: 'image/svg+xml', chunks: [Buffer.from(drawn ?? '')] };
}
