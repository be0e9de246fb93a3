/** The page of the viewer and the script that starts it. The viewer itself is the package `@fastify/swagger-ui`. */

export function renderViewer(): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Record API reference</title>',
    '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">',
    '<link rel="stylesheet" href="/docs/assets/viewer.css">',
    '<link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">',
    '</head><body><div id="viewer"></div>',
    '<noscript><p>The same reference without scripts: <a href="/docs/api">API</a>,',
    ' <a href="/docs/errors">errors</a>, <a href="/openapi.json">OpenAPI</a>.</p></noscript>',
    '<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/viewer.js"></script>',
    '</body></html>',
  ].join('');
}

/**
 * "Try it out" sends only what the user fills in: examples are shown next to the fields, not in them. Only what an
 * operation requires is filled in: required parameters, and one filter for the search of all registers. The key is
 * stored for the browser tab only and survives a reload.
 */
export const VIEWER_SCRIPT = `const KEPT = 'tmds viewer key';
const FILLED = { '/v1/trademarks': { status: ['Registered'] } };
const textOf = (value) => Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value);
const exampleOf = ({ example, examples, schema = {} }) =>
  example ?? Object.values(examples ?? {})[0]?.value ?? schema.example ?? schema.examples?.[0];
// A description without what would fill in the fields.
const emptyField = (path, shared) => {
  const { example, examples, schema = {}, ...parameter } = shared;
  const { default: standard, example: _one, examples: _some, ...bare } = schema;
  const shown = exampleOf(shared);
  const filled = FILLED[path]?.[parameter.name] ?? (parameter.required ? shown : undefined);
  const notes = [
    shown === undefined ? '' : 'Example: \`' + textOf(shown) + '\`.',
    standard === undefined ? '' : 'Default: \`' + textOf(standard) + '\`.',
  ];
  const description = [parameter.description ?? '', ...notes].filter((part) => part !== '').join(' ');
  return { ...parameter, description, schema: bare, ...(filled === undefined ? {} : { example: filled }) };
};
const emptyFields = (spec) => {
  const find = (parameter) => parameter.$ref === undefined ? parameter
    : parameter.$ref.slice(2).split('/').reduce((node, step) => node[step], spec);
  const empty = (path, node) => !Array.isArray(node?.parameters) ? node
    : { ...node, parameters: node.parameters.map((parameter) => emptyField(path, find(parameter))) };
  const paths = Object.entries(spec.paths ?? {}).map(([path, item]) => [path, Object.fromEntries(
    Object.entries(empty(path, item)).map(([name, node]) => [name, empty(path, node)]))]);
  return { ...spec, paths: Object.fromEntries(paths) };
};
const keep = (change) => {
  const kept = { ...JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') };
  change(kept);
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
};
const plugin = () => ({ statePlugins: {
  spec: { wrapActions: { updateJsonSpec: (original) => (spec) => original(emptyFields(spec)) } },
  auth: { wrapActions: {
    authorize: (original) => (chosen) => {
      keep((kept) => { for (const [name, { value }] of Object.entries(chosen)) kept[name] = value; });
      return original(chosen);
    },
    logout: (original) => (names) => {
      keep((kept) => { for (const name of names) delete kept[name]; });
      return original(names);
    },
  } },
} });
window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  plugins: [plugin],
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    for (const [name, value] of Object.entries(JSON.parse(sessionStorage.getItem(KEPT) ?? '{}'))) {
      if (typeof value === 'string') window.ui.preauthorizeApiKey(name, value);
    }
  },
});
// The viewer leaves some choices without a name, and makes new ones as operations are opened.
const names = { '#servers': 'Server', '.examples-select-element': 'Example' };
const nameChoices = () => {
  for (const [choice, name] of Object.entries(names)) {
    for (const each of document.querySelectorAll(choice)) each.setAttribute('aria-label', name);
  }
  for (const row of document.querySelectorAll('tr[data-param-name]')) {
    for (const each of row.querySelectorAll('select')) each.setAttribute('aria-label', row.dataset.paramName);
  }
};
new MutationObserver(nameChoices).observe(document.getElementById('viewer'), { childList: true, subtree: true });
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/** Corrects the viewer's stylesheet: faint text, areas that the keyboard cannot scroll, slow transitions. */
export const VIEWER_CSS = `body{margin:0}
.swagger-ui *{transition:none!important}
.swagger-ui .info .title small{background:#5c6370}
.swagger-ui .info .title small.version-stamp{background:#3f6212}
.swagger-ui .highlight-code>.microlight{max-height:none;overflow:visible}
html:not(.dark-mode) .swagger-ui a,html:not(.dark-mode) .swagger-ui .info .url{color:#1d5fae}
html:not(.dark-mode) .swagger-ui .btn.authorize{border-color:#1a7348;color:#1a7348}
html:not(.dark-mode) .swagger-ui .btn.authorize svg{fill:#1a7348}
html:not(.dark-mode) .swagger-ui .btn.cancel{border-color:#b3261e;color:#b3261e}
html:not(.dark-mode) .swagger-ui .parameter__in{color:#5c6370}
html.dark-mode .swagger-ui .headers .header-col{color:#e4e6e6}
html.dark-mode .swagger-ui .markdown a,html.dark-mode .swagger-ui .renderedMarkdown a{color:#6aa9f0}
.swagger-ui .btn.execute{background:#1d5fae;border-color:#1d5fae}
.swagger-ui .opblock.opblock-get .opblock-summary-method{background:#1d5fae}
.swagger-ui .microlight span[style*="211, 99, 99"]{color:#f0a0a0!important}
`;
