/**
 * Turns a line of the log from JSON into text for a person: time, level, message, then the other members. Logged values
 * come from callers and files. Invariant: no control character in them reaches the terminal, which could take it for a
 * command.
 */
import { isColorSupported, prettyFactory } from 'pino-pretty';

/** Escapes of JSON. `control` is one of a control character other than tab and line feed, which a stack holds. */
const ESCAPE = /\\(?:u(?<control>00[01][\da-f])|(?<short>[bfr])|.)/gi;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '0008', f: '000c', r: '000d' };
/** Control characters that JSON does not escape. */
const RAW_CONTROL = /[\u007f-\u009f]/g;

/** Colours are used on terminals only, and not if the variable `NO_COLOR` is set. */
export function buildLineReader({ isTerminal }: { readonly isTerminal: boolean }): (line: string) => string {
  const read = prettyFactory({
    colorize: isTerminal && isColorSupported,
    singleLine: true,
    translateTime: 'SYS:yyyy-mm-dd HH:MM:ss.l',
  });
  return (line) => read(showControls(line)) ?? line;
}

/** The same JSON, with control characters in its texts spelled out: `\u001b` becomes six ordinary characters. */
function showControls(line: string): string {
  return line
    .replace(ESCAPE, (found, control: string | undefined, short: string | undefined) => {
      const code = control ?? SHORT_ESCAPES[short ?? ''];
      const isKept = code === undefined || code === '0009' || code === '000a';
      return isKept ? found : `\\\\u${code}`;
    })
    .replace(RAW_CONTROL, (letter) => `\\\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
