/** Swagger UI with our settings: no requests to other hosts, no data stored in the browser. */

export function loadReference({ spec, requestInterceptor }) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
  globalThis.SwaggerUIBundle({
    spec,
    domNode: document.getElementById("reference"),
    requestInterceptor,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    defaultModelRendering: "example",
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    persistAuthorization: false,
    queryConfigEnabled: false,
    syntaxHighlight: { activated: true },
  });
}
