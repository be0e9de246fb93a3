/**
 * Texts of keys that turn up where none belongs: as the name of a parameter, inside a value. They are cut out of
 * everything that is answered, logged or stored.
 */

/**
 * Anything that begins like a key and goes on into its secret, cut or mangled, percent-encoded or not. Settings such as
 * `TMDS_LOG_LEVEL` are in upper case and stay.
 */
const KEY_TEXT = /tmds(?:_|%5[Ff])[0-9A-Za-z]+(?:_|%5[Ff])[\w%-]{6,}/g;

export function maskKeyText(text: string): string {
  return text.replace(KEY_TEXT, 'tmds_…');
}
