/* SPDX-License-Identifier: BSD-3-Clause */
/* still.c - preloaded into a Fortran program that seeds its random numbers from the clock and from
 * the system: both say the same each time, so that two runs can be compared. For gfortran, whose
 * array descriptors begin with the address of the data. */
#include <stddef.h>
#include <string.h>

int getentropy(void *buffer, size_t length);
void _gfortran_date_and_time(char *date, char *time, char *zone, int **values, int date_length,
                             int time_length, int zone_length);

int getentropy(void *buffer, size_t length)
{
    memset(buffer, 7, length);
    return 0;
}

void _gfortran_date_and_time(char *date, char *time, char *zone, int **values, int date_length,
                             int time_length, int zone_length)
{
    if (date)
        memset(date, '1', (size_t)date_length);
    if (time)
        memset(time, '1', (size_t)time_length);
    if (zone)
        memset(zone, '0', (size_t)zone_length);
    for (int i = 0; values && i < 8; i++)
        (*values)[i] = i;
}
