/** The portal's part of the settings of the process. */
import type { PrivateTargets } from '../webhook/target.ts';
import type { PortalServices } from './services.ts';

interface ProcessSettings {
  readonly recordPrefix: string;
  readonly changeHorizonSeconds: number;
  readonly publicUrl?: string | null;
  readonly oidcIssuer?: string | null;
  readonly oidcClientId?: string | null;
  readonly oidcClientSecret?: string | null;
  readonly smtpUrl?: string | null;
  readonly webhookPrivate?: PrivateTargets;
}

type PortalSettings = Pick<
  PortalServices,
  'recordPrefix' | 'changeHorizonSeconds' | 'publicUrl' | 'identity' | 'sendsMail' | 'webhookPrivate'
>;

export function readPortalSettings(config: ProcessSettings): PortalSettings {
  const { oidcIssuer: issuer = null, oidcClientId: clientId = null, oidcClientSecret: clientSecret = null } = config;
  return {
    recordPrefix: config.recordPrefix,
    changeHorizonSeconds: config.changeHorizonSeconds,
    publicUrl: config.publicUrl ?? null,
    sendsMail: (config.smtpUrl ?? null) !== null,
    webhookPrivate: config.webhookPrivate ?? 'refuse',
    identity: issuer === null || clientId === null ? null : { issuer, clientId, clientSecret },
  };
}
