export function bundledPlaces(folder: string, root: string): readonly string[];
