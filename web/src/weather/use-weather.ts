import { useEffect } from 'react';
import { useScope } from '../app/lab-context.tsx';
import type { FollowedState } from '../store/following/followed.ts';
import { useStore } from '../store/use-store.ts';
import { type Weather, weatherOf } from './weather.ts';

/** The weather of the lab that is shown, followed as long as it is wanted. */
export const useWeather = (): FollowedState<Weather | null> => {
  const { lab } = useScope();
  const isLoaded = useStore(lab.state, (now) => now.isLoaded);
  const weather = weatherOf(lab);
  useEffect(() => (isLoaded ? weather.follow() : undefined), [weather, isLoaded]);
  return useStore(weather.state);
};
