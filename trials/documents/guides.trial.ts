/** Tests the guides, beside the node that README's first command starts. */
import { readDocuments } from "./documents.ts";

readDocuments({ wholeReadme: false, page: (path) => path.startsWith("docs/guides/") });
