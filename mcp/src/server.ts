/** The server of the Model Context Protocol: nine tools that read, and nothing that writes. */

import { McpServer } from '@modelcontextprotocol/server';
import { type TrademarkClient, VERSION } from '@tmds/client';
import { numbersTool, reconcileTool } from './numbers.ts';
import { datesTool, getTool, historyTool, watchTool } from './records.ts';
import { coverageTool } from './registers.ts';
import { searchTool, similarTool } from './search.ts';
import { NOTICE, type Tool } from './tool.ts';

const TOOLS: readonly Tool[] = [
  searchTool,
  getTool,
  historyTool,
  watchTool,
  coverageTool,
  numbersTool,
  reconcileTool,
  similarTool,
  datesTool,
];

const INSTRUCTIONS =
  'Trademark records of national and regional registers. A record is identified by jurisdiction_code (its register) and ' +
  'uid. Every answer has coverage: which registers it covers, through which day they are complete, and what is late or ' +
  'missing. Never report that a mark does not exist without saying so: an empty answer means "not in these registers, ' +
  `as of that day". Null means that the register does not state it. ${NOTICE} Every call costs metered units of the ` +
  'customer: prefer one narrow call to several broad ones. This is data, no legal advice.';

/** For one connection or one request, with the calls of one customer. */
export function buildMcpServer(client: TrademarkClient): McpServer {
  const server = new McpServer(
    { name: 'trademark-data-service', title: 'Trademark data service', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const register of TOOLS) register(server, client);
  return server;
}
