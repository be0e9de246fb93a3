/** The page of the viewer, and the few lines that start it. The viewer itself is a package of its own. */

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

/** The key typed into the viewer stays in the page; it is not stored. */
export const VIEWER_SCRIPT = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
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

/** What the viewer's own stylesheet leaves too faint to read, scrolls out of the keyboard's reach, or fades slowly. */
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
