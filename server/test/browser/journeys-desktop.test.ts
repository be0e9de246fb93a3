/** The journeys on a desktop, in the light theme. */
import { testJourneys } from '../support/journeys.ts';

testJourneys('on a desktop a keyboard is enough for every journey [5.4]', {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'light',
});
