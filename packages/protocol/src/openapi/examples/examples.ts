/** Example answers of endpoints, by their ids. */
import type { EndpointId } from "../../endpoints.ts";
import type { Answer } from "../../shapes/answers.ts";

export type Examples = { readonly [Id in EndpointId]?: Answer<Id> };
