/** The entry point of `@tmds/mcp`: for a program that serves the tools itself. */
export { answerMessage, type McpAnswer, type McpMessage } from './http.ts';
