/** Texts and links that several samples share. */

/** The target of links in the samples. */
export const HERE = '/portal/components';

export const LONG = 'A text that is longer than anybody expected when the component was drawn for the first time';
