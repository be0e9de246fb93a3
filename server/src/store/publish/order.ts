/**
 * Whether files of a format may be loaded in any order. They may if each statement says how old it is, so that an older
 * one never undoes a newer (`source_version`, versions of supplements, weeks of a journal). A format that is not in the
 * table is loaded in the order of its files.
 */
const ANY_ORDER: ReadonlySet<string> = new Set([
  'uspto-apc',
  'uspto-tsdr',
  'uspto-assignments',
  'uspto-ttab',
  'euipo',
  'inpi-br',
]);

export function mayComeInAnyOrder(format: string): boolean {
  return ANY_ORDER.has(format);
}
