/** The drawing kind of a mark, in the words of the Korean office. */
import type { MarkFeature } from '@tmds/contract/enums';
import { type Reading, raiseIssue } from '../reading.ts';

const FEATURES: Readonly<Record<string, MarkFeature>> = {
  문자: 'Word',
  문자상표: 'Word',
  도형: 'Figurative',
  도형상표: 'Figurative',
  // A figure with letters.
  도형복합: 'Combined',
  입체: 'Three-dimensional',
  입체상표: 'Three-dimensional',
  소리: 'Sound',
  소리상표: 'Sound',
  냄새: 'Olfactory',
  냄새상표: 'Olfactory',
  홀로그램: 'Hologram',
  홀로그램상표: 'Hologram',
  동작: 'Motion',
  동작상표: 'Motion',
  위치: 'Position',
  위치상표: 'Position',
};

export function readFeature(
  reading: Reading,
  stated: readonly (readonly [path: string, text: string | null])[],
): MarkFeature | null {
  let feature: MarkFeature | null = null;
  for (const [path, text] of stated) {
    for (const word of text?.split(/\s+/) ?? []) {
      const known = Object.hasOwn(FEATURES, word) ? FEATURES[word] : undefined;
      if (known === undefined) raiseIssue(reading, 'unmapped_feature', path, word);
      else feature ??= known;
    }
  }
  return feature;
}
