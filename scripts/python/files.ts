/** The files of the Python client that derive from the contract; `npm run docs` writes them, a test compares them. */
import { renderCalls } from './calls.ts';
import { renderModels } from './models.ts';
import { renderRefusals } from './refusals.ts';

/** By their names in `clients/python/src/tmds_client`. */
export const PYTHON_FILES: Readonly<Record<string, () => string>> = {
  'calls.py': renderCalls,
  'models.py': renderModels,
  'refusals.py': renderRefusals,
};
