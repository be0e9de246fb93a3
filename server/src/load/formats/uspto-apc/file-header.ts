/** What the office's files, of cases and of events, state about themselves. */
import { nodeText } from '../element.ts';
import type { ReadContext } from '../format.ts';
import { buildIssue } from '../issues.ts';
import type { XmlFileReader } from '../xml-records.ts';

/** The office's marker for a day on which nothing happened. */
const NO_DATA = 'N';

/** `version`: of the layout that is read. Another one may mean something else by the same elements. */
export function readFileHeader(version: string, context: ReadContext): XmlFileReader['elements'] {
  return {
    'version-no'(node) {
      const stated = nodeText(node);
      if (stated === version) return;
      context.noteIssue?.(buildIssue('delivery_remark', 'version/version-no', stated ?? ''), 1);
    },
    'data-available-code'(node) {
      if (nodeText(node) === NO_DATA) context.noteNoRecords?.();
    },
  };
}
