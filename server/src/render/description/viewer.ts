/** The page of the viewer, and the few lines that start it. The viewer itself is a package of its own. */

export function renderViewer(): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Record API reference</title>',
    '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">',
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
`;
