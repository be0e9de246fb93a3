/** `tmds-mcp`: the tools for one person's program, over standard input and output, with the key of the environment. */

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { TrademarkClient, VERSION } from '@tmds/client';
import { buildMcpServer } from './server.ts';

/** Bytes of one message. */
const MESSAGE_BYTES_MAX = 1_048_576;

const USAGE = `tmds-mcp

  Serves the trademark data service as tools of the Model Context Protocol, over standard input and output. A program
  for language models starts it; it ends when its standard input does.

  TMDS_BASE_URL   the service, with the product's path, such as https://host/records
  TMDS_API_KEY    the API key; its quota pays for every call

  --help, --version
`;

/** Returns the exit status once it is known; null while it serves. Nothing but the protocol goes to standard output. */
export function runStdio(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  out: (text: string) => void,
  err: (text: string) => void,
): number | null {
  const [first] = args;
  if (first === '--help' || first === '--version') {
    out(first === '--help' ? USAGE : `${VERSION}\n`);
    return 0;
  }
  if (first !== undefined) {
    err(`tmds-mcp: unexpected argument "${first}"\nTry: tmds-mcp --help\n`);
    return 2;
  }
  let client: TrademarkClient;
  try {
    const { TMDS_API_KEY: apiKey, TMDS_BASE_URL: baseUrl } = environment;
    client = new TrademarkClient({ apiKey, baseUrl });
  } catch (error) {
    err(`tmds-mcp: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  serveStdio(() => buildMcpServer(client), {
    transport: new StdioServerTransport(undefined, undefined, { maxBufferSize: MESSAGE_BYTES_MAX }),
    onerror: (error) => err(`tmds-mcp: ${error.message}\n`),
  });
  return null;
}
