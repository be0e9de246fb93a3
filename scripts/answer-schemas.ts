/** Writes the schemas of answers, which the documents of `npm run docs` have, from the types of the contract. */
import { writeFileSync } from 'node:fs';
import { ANSWER_SCHEMAS_PATH, renderAnswerSchemas } from '../server/scripts/answer-schemas.ts';

writeFileSync(ANSWER_SCHEMAS_PATH, await renderAnswerSchemas());
