/** The client's version; a test holds it to the package manifest. */
export const VERSION = '0.1.0';
