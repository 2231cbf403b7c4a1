/** The reference of the admin API: shows the OpenAPI document in Swagger UI, and adds the token to each request. */
import { loadReference } from "./swagger.js";

const field = (id) => document.getElementById(id);

field("keys").addEventListener("submit", (event) => event.preventDefault());
const spec = await (await fetch(field("reference").dataset.document)).json();
delete spec.security;
delete spec.components.securitySchemes;
loadReference({ spec, requestInterceptor: prepare });

/** Requests to other hosts are not sent. */
function prepare(request) {
  if (new URL(request.url, location.origin).origin !== location.origin) {
    throw new Error("This page sends nothing to other hosts.");
  }
  const token = field("token").value.trim();
  const actor = field("actor").value.trim();
  if (token !== "") request.headers["Authorization"] = `Bearer ${token}`;
  if (actor !== "") request.headers["X-Pricetime-User"] = actor;
  return request;
}
