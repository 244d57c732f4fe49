import { SvgIcon, type SvgIconProps } from '@mui/material';
import type { ReactNode } from 'react';

/** An icon of `@mdi/js`. (`@mui/icons-material` takes 190 MB.) */
export function Icon({ path, ...props }: SvgIconProps & { readonly path: string }): ReactNode {
  return (
    <SvgIcon {...props}>
      <path d={path} />
    </SvgIcon>
  );
}
