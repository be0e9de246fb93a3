/** The version that the office's files state of their layout. */
import { nodeText, type XmlNode } from '../../xml/xml-node.ts';
import type { ReadContext } from '../format.ts';
import type { IssueCode } from '../issues.ts';

/** Another version than the one that is read may mean something else by the same elements. */
export function checkVersion(node: XmlNode, version: string, context: ReadContext): void {
  const code: IssueCode = 'delivery_remark';
  const stated = nodeText(node);
  if (stated !== version) context.noteIssue?.({ code, path: 'version/version-no', value: stated ?? '' }, 1);
}
