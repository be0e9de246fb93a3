/** Renders `refusals.py` of the Python client: an exception for each code of the contract. */
import { ERRORS, type ErrorDefinition } from '@tmds/contract/errors';
import { toPascal, wrap } from './text.ts';

function nameOf(code: string): string {
  const name = toPascal(code);
  return name.endsWith('Error') ? name : `${name}Error`;
}

function renderClass([code, { status, when, remedy, retry }]: [string, ErrorDefinition]): string {
  const sentence = `${when.charAt(0).toUpperCase()}${when.slice(1)}.`;
  return [
    `class ${nameOf(code)}(TrademarkApiError):`,
    ...wrap(`"""\`${code}\`, ${status}: ${sentence} ${remedy}"""`, '    '),
    '',
    `    CODE = "${code}"`,
    ...(retry === 'later' ? ['    retryable = True'] : []),
  ].join('\n');
}

export function renderRefusals(): string {
  const entries = Object.entries<ErrorDefinition>(ERRORS);
  return `"""Written by \`npm run docs\` from the contract's table of errors; not to be edited."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import TrademarkApiError


${entries.map(renderClass).join('\n\n\n')}


#: The exception of each code. A newer service may have other codes: they are a plain \`TrademarkApiError\`.
REFUSALS: Mapping[str, type[TrademarkApiError]] = {
    refusal.CODE: refusal
    for refusal in (
${entries.map(([code]) => `        ${nameOf(code)},`).join('\n')}
    )
}

__all__ = [
${['REFUSALS', ...entries.map(([code]) => nameOf(code)).sort()].map((name) => `    "${name}",`).join('\n')}
]
`;
}
