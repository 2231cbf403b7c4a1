/** Content types of bodies, which are forms: Interface 1.5. */

const FORM = "application/x-www-form-urlencoded";

/** Treats a body without a type as a form, as the parent does. */
export function isForm(contentType: string | string[] | undefined): boolean {
  if (contentType === undefined || contentType === "") return true;
  if (typeof contentType !== "string") return false;
  const end = contentType.indexOf(";");
  const type = end === -1 ? contentType : contentType.slice(0, end);
  return type === FORM || type.trim().toLowerCase() === FORM;
}
