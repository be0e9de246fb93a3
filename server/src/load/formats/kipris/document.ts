/** The normalized document of a Korean answer. */
import type { RecordContent } from '@tmds/contract/record';
import { buildDocument, isSilent, type MarkImage, type Priority, type Publication, stated } from '../payload.ts';
import type { Answer, AnswerParty } from './answer.ts';
import { splitCodes } from './names.ts';

export function buildAnswerDocument(
  answer: Answer,
  { parties, content, viennaCodes }: { parties: AnswerParty[]; content: RecordContent; viennaCodes: string[] },
): ReturnType<typeof buildDocument> {
  const classes = splitCodes(answer.text('classes'));
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
      // The answers state the status in words, and neither kind nor feature.
      status_code: null,
      status_text: content.tm5_status,
      kind_code: null,
      kind_text: null,
      feature_code: null,
      feature_text: null,
      reference_number: answer.text('reference'),
      registration_reference_number: answer.text('registrationReference'),
    },
    {
      parties: parties.map(({ party }) => party),
      mark: content.mark_name === null ? null : { texts: [{ text: content.mark_name }] },
      publications: publications.map((publication) => stated<Publication>(publication)),
      priorities: isSilent(priority) ? null : [priority],
      images,
      classification: stated({ classes: classes.length === 0 ? null : [{ international_codes: classes }] }),
      international: stated({
        registration: stated({
          number: answer.text('internationalNumber'),
          registration_date: answer.statedDate('internationalDate'),
        }),
      }),
    },
  );
}
