/** What several samples say. */

/** Where links of the samples lead. */
export const HERE = '/portal/components';

export const LONG = 'A text that is longer than anybody expected when the component was drawn for the first time';
