/** The tool that says which registers are served, and what can be concluded when one reports nothing. */
import * as z from 'zod';
import { registerInput } from './schemas.ts';
import { defineTool } from './tool.ts';

export const coverageTool = defineTool({
  name: 'register_coverage',
  title: 'Registers and their completeness',
  description:
    'Without jurisdiction_code: every register that is served, with its number of records. With it: through which ' +
    'periods the register is loaded, what is missing, late or rejected, and in a sentence what can be concluded from ' +
    'silence. Ask before you report that something does not exist.',
  price: 'one unit.',
  input: { jurisdiction_code: registerInput.optional() },
  output: {
    registers: z
      .array(z.looseObject({ jurisdiction_code: z.string(), record_count: z.number() }))
      .nullable()
      .describe('All registers; null if one was asked for.'),
    report: z
      .looseObject({ jurisdiction_code: z.string(), conclusion: z.string(), open_rejects: z.number() })
      .nullable()
      .describe('The register that was asked for.'),
  },
  run: async ({ jurisdiction_code: code }, { client, signal }) => {
    if (code === undefined) {
      const { items, meta } = await client.jurisdictions({ signal });
      return { fields: { registers: items, report: null }, coverage: meta.coverage, units: 1 };
    }
    const report = await client.coverage(code, { signal });
    return { fields: { registers: null, report }, coverage: report.meta.coverage, units: 1 };
  },
});
