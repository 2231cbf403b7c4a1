/** How long passwords are, until the node has said it. */
export const LEAST_PASSWORD_CHARACTERS = 12;
export const MOST_PASSWORD_CHARACTERS = 256;
