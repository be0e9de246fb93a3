/** The normalized document of a Korean answer. */
import type { RecordContent } from '@tmds/contract/record';
import {
  buildDocument,
  type ClassEntry,
  isSilent,
  joinWords,
  type MarkImage,
  type Priority,
  type Publication,
  stated,
} from '../payload.ts';
import type { Answer, AnswerParty } from './answer.ts';
import { splitCodes } from './names.ts';

interface AnswerParts {
  parties: AnswerParty[];
  content: RecordContent;
  viennaCodes: string[];
  classes: ClassEntry | null;
}

export function buildAnswerDocument(
  answer: Answer,
  { parties, content, viennaCodes, classes }: AnswerParts,
): ReturnType<typeof buildDocument> {
  const drawing = [answer.text('drawingKind'), answer.text('division')].filter((text) => text !== null);
  const publications = [
    {
      kind: 'application',
      identifier: answer.text('publicationNumber'),
      date: answer.statedDate('publicationDate'),
    },
    {
      kind: 'registration',
      identifier: answer.text('registrationPublicationNumber'),
      date: answer.statedDate('registrationPublicationDate'),
    },
  ].filter(({ identifier, date }) => identifier !== null || date !== null);
  const thumbnail = answer.text('thumbnail');
  const images = [
    stated<MarkImage>({ uri: answer.text('image'), vienna_codes: viennaCodes }),
    stated<MarkImage>({ format: thumbnail === null ? null : 'thumbnail', uri: thumbnail }),
  ].filter((image) => !isSilent(image));
  const priority = stated<Priority>({ number: answer.text('priorityNumber'), date: answer.statedDate('priorityDate') });
  return buildDocument(
    {
      format: 'kipris',
      // The answers state the status in words and no kind.
      status_code: null,
      status_text: content.tm5_status,
      kind_code: null,
      kind_text: null,
      feature_code: null,
      feature_text: joinWords([...new Set(drawing)]),
      reference_number: answer.text('reference'),
      registration_reference_number: answer.text('registrationReference'),
    },
    {
      parties: parties.map(({ party }) => party),
      mark: content.mark_name === null ? null : { texts: [{ text: content.mark_name }] },
      goods_and_services: splitCodes(answer.text('similarGroups')).map((code) => ({ code })),
      publications: publications.map((publication) => stated<Publication>(publication)),
      priorities: isSilent(priority) ? null : [priority],
      images,
      classification: stated({ classes: classes === null ? null : [classes] }),
      international: stated({
        registration: stated({
          number: answer.text('internationalNumber'),
          registration_date: answer.statedDate('internationalDate'),
        }),
      }),
    },
  );
}
