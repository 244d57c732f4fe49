import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import type { ReactNode } from 'react';
import { NavLink, useLocation } from 'react-router';
import { t } from '../texts/texts.js';
import { SCREENS } from './screens.js';

export function Menu({ onChoice }: { onChoice: () => void }): ReactNode {
  const { pathname } = useLocation();
  return (
    <Box component="nav" aria-label={t('shell.menu')}>
      <List sx={{ px: 1, py: 1.5 }}>
        {SCREENS.map(
          ({ path, menu }) =>
            menu && (
              <ListItem key={path} disablePadding>
                <ListItemButton
                  component={NavLink}
                  to={path}
                  end={path === '/'}
                  onClick={onChoice}
                  selected={isBelow(pathname, path)}
                  sx={{ borderRadius: '8px', mb: 0.25, gap: 1.5 }}
                >
                  <ListItemIcon sx={{ minWidth: 0, color: 'inherit' }}>
                    <menu.icon fontSize="small" />
                  </ListItemIcon>
                  <ListItemText
                    primary={t(menu.label)}
                    slotProps={{ primary: { sx: { fontWeight: 500 } } }}
                  />
                </ListItemButton>
              </ListItem>
            ),
        )}
      </List>
    </Box>
  );
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
}
