import type { Server } from 'node:http';
import { type Access, type Admission, createAdmission, OPEN } from './admission.ts';
import type { LoginLimits } from './logins.ts';
import { Traffic, type TrafficLimits } from './traffic.ts';

/** What every request meets first. */
export interface Arrival {
  traffic: Traffic;
  admission: Admission;
}

export const createArrival = (server: Server, access: Access = OPEN, limits: LoginLimits & TrafficLimits): Arrival => ({
  traffic: new Traffic(server, limits),
  admission: createAdmission(access, limits),
});
