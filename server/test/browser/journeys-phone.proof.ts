/** The journeys on a phone, in the dark theme. */
import { testJourneys } from '../support/journeys.ts';

testJourneys('on a phone in the dark a keyboard is enough for every journey [5.4]', {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
});
