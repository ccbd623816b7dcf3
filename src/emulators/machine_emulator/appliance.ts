import type { ApplianceForm } from '../kit/contract.ts';
import { IMAGES } from './settings.ts';

/** What stands for an acceleration that must not be: https://www.qemu.org/docs/master/system/invocation.html */
const WITHOUT_KVM = '-machine accel=tcg';

/** The section of appliance files: https://github.com/GNS3/gns3-registry, schemas */
export const appliance: ApplianceForm = {
  slots: Object.fromEntries(IMAGES.map((image) => [image, image])),
  settings({ arch, kvm, options, ...section }) {
    const given = typeof options === 'string' ? options.trim() : '';
    const all = kvm === 'disable' ? `${given} ${WITHOUT_KVM}`.trim() : given;
    return { ...(arch === undefined ? {} : { platform: arch }), ...section, ...(all === '' ? {} : { options: all }) };
  },
};
