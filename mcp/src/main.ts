/** The entry point of `@tmds/mcp`: for a program that serves the tools itself. */
export { buildMcpServer } from './server.ts';
