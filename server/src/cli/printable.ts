/** Texts of source files on a terminal: without control characters, which it could interpret as commands. */

export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}
