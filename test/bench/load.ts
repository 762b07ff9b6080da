/** A module of the suite, which is plain JavaScript beside the package. */
export const load = (file: string) => import(new URL(`../../bench/lib/${file}`, import.meta.url).href);
