/** Failures in the words of the person at the keyboard: what is wrong, and what to do. */
import { UsageError } from '../docket/options.ts';
import { isApiError, TrademarkConnectionError, TrademarkProtocolError, TrademarkTimeoutError } from '../errors.ts';
import { describeError, describeFields } from '../replica/progress.ts';
import { MissingFile } from '../replica/settings.ts';
import { toFlagName } from './flags.ts';

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}

/** What a lost connection says about the address; null if nothing. */
function describeAddressFault(address: string, error: unknown): string | null {
  const code = codeOf(error);
  const url = new URL(address);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `there is no host "${url.hostname}": is the address right, and this machine on the network?`;
  }
  if (code === 'ECONNREFUSED')
    return `nothing answers at ${url.origin}: is the address right, and the service running?`;
  if (/CERT|SIGNED|SIGNATURE|ISSUER/.test(code)) return `the certificate of ${url.hostname} is not trusted (${code})`;
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return `${url.origin} does not speak ${url.protocol.slice(0, -1)}: is it http or https?`;
  }
  return null;
}

/** The innermost cause, which names the fault of the network. */
function findCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause;
}

/** @param flags those of the command, which a refused parameter may be */
export function describeFailure(error: unknown, address: string | undefined, flags: readonly string[] = []): string {
  if (error instanceof TrademarkConnectionError && address !== undefined) {
    const words = describeAddressFault(address, findCause(error));
    if (words !== null) return words;
  }
  const refused = isApiError(error) && error.param !== null ? toFlagName(error.param) : null;
  if (refused !== null && flags.includes(refused)) return `--${refused}: ${describeError(error)}`;
  return describeError(error);
}

/** The codes of failures that are not the API's. */
function codeOfOwn(error: unknown): string {
  if (error instanceof MissingFile) return 'missing_file';
  if (error instanceof UsageError || error instanceof TypeError) return 'wrong_usage';
  if (error instanceof TrademarkConnectionError || error instanceof TrademarkTimeoutError) return 'no_answer';
  return error instanceof TrademarkProtocolError ? 'unexpected_answer' : 'failed';
}

/** In the form of the API's own errors. @param words for a failure that is not the API's */
export function renderFailure(error: unknown, words: string): string {
  const { request_id } = describeFields(error);
  const said = isApiError(error)
    ? { code: error.code, message: error.message, param: error.param ?? undefined }
    : { code: codeOfOwn(error), message: words };
  return `${JSON.stringify({ error: { ...said, request_id } })}\n`;
}
