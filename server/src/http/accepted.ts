/** Decides what a caller accepts, by the weights of `Accept` and `Accept-Encoding`. */

/** By name in lower case, without its parameters. Weights that are not numbers are 0. */
export function readWeights(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  return weights;
}
